package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

const safeService = "https://safe-transaction-base.safe.global/api/v1/safes/"

type safeInfo struct {
	Address   string   `json:"address"`
	Owners    []string `json:"owners"`
	Threshold int      `json:"threshold"`
	Nonce     int      `json:"nonce"`
}

func loadSafe(address string) (*safeInfo, error) {
	res, err := http.Get(safeService + address + "/")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("safe %s: %s", address, res.Status)
	}
	var s safeInfo
	return &s, json.NewDecoder(res.Body).Decode(&s)
}
