# Copyright The eksfargate Authors.
# SPDX-License-Identifier: Apache-2.0

terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

variable "endpoint" { type = string }
variable "subnets" { type = list(string) }
variable "team" { type = string }
variable "namespace" { type = string }

provider "aws" {
  region                      = "us-east-1"
  access_key                  = "AKIAFAKE"
  secret_key                  = "secret"
  skip_credentials_validation = true
  skip_requesting_account_id  = true
  skip_metadata_api_check     = true
  endpoints {
    eks = var.endpoint
    iam = var.endpoint
    sts = var.endpoint
  }
}

locals {
  # Who may assume a role, by its name.
  principals = {
    control-plane = "eks.amazonaws.com"
    pods          = "eks-fargate-pods.amazonaws.com"
  }
}

resource "aws_iam_role" "this" {
  for_each = local.principals
  name     = each.key
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = each.value }
      Action    = "sts:AssumeRole"
    }]
  })
  tags = { team = var.team }
}

resource "aws_iam_role_policy_attachment" "pods" {
  role       = aws_iam_role.this["pods"].name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"
}

resource "aws_eks_cluster" "this" {
  name     = "terraformed"
  role_arn = aws_iam_role.this["control-plane"].arn
  vpc_config {
    subnet_ids = var.subnets
  }
  tags = { team = var.team }
}

# Two profiles that nothing orders: the provider makes them at the same time.
resource "aws_eks_fargate_profile" "this" {
  for_each               = toset(["blue", "green"])
  cluster_name           = aws_eks_cluster.this.name
  fargate_profile_name   = each.key
  pod_execution_role_arn = aws_iam_role.this["pods"].arn
  subnet_ids             = var.subnets
  selector {
    namespace = var.namespace
    labels    = { colour = each.key }
  }
  selector {
    namespace = "shared-*"
  }
  tags       = { team = var.team }
  depends_on = [aws_iam_role_policy_attachment.pods]
}
