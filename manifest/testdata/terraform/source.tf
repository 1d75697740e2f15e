# a comment
locals {
  names = ["a"]
}

resource "aws_eks_fargate_profile" "web" {
  cluster_name = "shop"
}
