// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"math/big"
	"time"
)

// certificateAuthority returns a valid, self-signed authority as DescribeCluster
// returns it: PEM in base64. The same seed gives the same certificate.
func certificateAuthority(seed uint64) string {
	var keySeed [ed25519.SeedSize]byte
	binary.BigEndian.PutUint64(keySeed[:], seed)
	key := ed25519.NewKeyFromSeed(keySeed[:])
	from := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "kubernetes"},
		NotBefore:             from,
		NotAfter:              from.AddDate(100, 0, 0),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	// Ed25519 needs no randomness to sign; the reader is for other kinds of key.
	der, err := x509.CreateCertificate(bytes.NewReader(nil), template, template, key.Public(), key)
	if err != nil {
		return "" // the template is constant, and it works
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return base64.StdEncoding.EncodeToString(block)
}
