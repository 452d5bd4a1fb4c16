package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// validSignature checks what our signing relay made of the wallet's message.
func validSignature(wallet, signature string) bool {
	mac := hmac.New(sha256.New, []byte(os.Getenv("RELAY_SECRET")))
	mac.Write([]byte(wallet))
	got, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(got, mac.Sum(nil))
}
