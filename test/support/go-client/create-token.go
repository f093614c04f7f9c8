// Makes a token, walks the list and changes settings with the client that oapi-codegen generates, and reads a refusal as data.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"levy-test-generated-client/levy"
)

func main() {
	url, wallet, address, image := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	token := ""
	client := must(levy.NewClientWithResponses(url, levy.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			if token != "" {
				request.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		})))
	signed := func(what, text string) string {
		response := must(http.Post(wallet+"/"+what, "text/plain", strings.NewReader(text)))
		return string(must(io.ReadAll(response.Body)))
	}

	challenge := must(client.CreateChallengeWithResponse(ctx, nil, levy.CreateChallengeBody{WalletAddress: address})).JSON200.Challenge
	token = must(client.VerifySignInWithResponse(ctx, nil, levy.VerifySignInBody{
		WalletAddress: address, Message: challenge, Signature: signed("message", challenge),
	})).JSON200.Token

	form := new(bytes.Buffer)
	parts := multipart.NewWriter(form)
	must(must(parts.CreateFormFile("image", "token.png")).Write(must(os.ReadFile(image))))
	parts.Close()
	uploaded := must(client.UploadImageWithBodyWithResponse(ctx, nil, parts.FormDataContentType(), form)).JSON200
	wished := levy.TokenInput{
		WalletId:           must(client.GenerateDistributionWalletWithResponse(ctx, nil)).JSON200.WalletId,
		ImageUri:           uploaded.ImageUri,
		Name:               "Sunrise",
		Symbol:             "SUN",
		Description:        "Made with a generated client.",
		TransferFeePercent: 3.5,
		Decimals:           6,
		Supply:             "1000000000000000",
	}
	draft := must(client.CreateTokenDraftWithResponse(ctx, nil, wished)).JSON200
	created := must(client.SubmitTokenWithResponse(ctx, nil, levy.SignedTransaction{
		TransactionId: draft.TransactionId, SignedTransaction: signed("transaction", draft.Transaction),
	})).JSON200

	list := func(page int32, after *string) *levy.ListTokensAnswer {
		limit, sort, reward, launch := int32(1), levy.TOKENSORTPAID, "SOL", levy.LAUNCHSTATENONE
		return must(client.ListTokensWithResponse(ctx, &levy.ListTokensParams{
			Page: &page, Limit: &limit, After: after, Sort: &sort, RewardToken: &reward, LaunchState: &launch,
		})).JSON200
	}
	walked := []string{}
	for page := list(1, nil); ; page = list(1, page.Next) {
		for _, card := range page.Tokens {
			walked = append(walked, card.MintAddress)
		}
		if page.Next == nil {
			break
		}
	}
	burn, group := float32(7), ""
	id := created.Token.Id.String()
	changed := must(client.UpdateSettingsWithResponse(ctx, id, nil, levy.SettingsInput{
		BurnPercent: &burn, TelegramGroupId: &group,
	})).JSON200
	before := []any{}
	for _, change := range must(client.ListSettingsChangesWithResponse(ctx, id, nil)).JSON200.Changes {
		if from := change.Before; from == nil {
			before = append(before, nil)
		} else {
			before = append(before, *from.BurnPercent)
		}
	}

	wished.Supply = "none"
	refused := must(client.CreateTokenDraftWithResponse(ctx, nil, wished)).ApplicationproblemJSON400
	print := json.NewEncoder(os.Stdout)
	print.Encode(map[string]any{
		"mintAddress": created.Token.MintAddress,
		"refused":     map[string]any{"status": refused.Status, "code": refused.Code, "field": (*refused.Details)[0].Path[0]},
		"walked":       walked,
		"second":       list(2, nil).Tokens[0].MintAddress,
		"changed":      []any{changed.BurnPercent, changed.DistributionInterval, changed.DistributionEnabled},
		"burnedBefore": before,
	})
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
