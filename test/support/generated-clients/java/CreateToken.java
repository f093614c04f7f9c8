// Makes a token, walks the list and changes settings with the client that openapi-generator generates, and reads a refusal as data.
import java.io.File;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DistributionApi;
import org.openapitools.client.api.SignInApi;
import org.openapitools.client.api.TokensApi;
import org.openapitools.client.model.CreateChallengeBody;
import org.openapitools.client.model.LaunchState;
import org.openapitools.client.model.ListTokensAnswer;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.SettingsInput;
import org.openapitools.client.model.SignedTransaction;
import org.openapitools.client.model.TokenInput;
import org.openapitools.client.model.TokenSort;
import org.openapitools.client.model.VerifySignInBody;

public class CreateToken {
    public static void main(String[] arguments) throws Exception {
        String url = arguments[0], wallet = arguments[1], address = arguments[2], image = arguments[3];
        ApiClient client = new ApiClient();
        client.updateBaseUri(url);
        SignInApi signIn = new SignInApi(client);
        String challenge = signIn.createChallenge(new CreateChallengeBody().walletAddress(address), null, null).getChallenge();
        String token = signIn.verifySignIn(new VerifySignInBody().walletAddress(address).message(challenge)
            .signature(signed(wallet, "message", challenge)), null).getToken();
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        TokensApi tokens = new TokensApi(client);

        TokenInput wished = new TokenInput()
            .walletId(tokens.generateDistributionWallet(null).getWalletId())
            .imageUri(tokens.uploadImage(new File(image), null, null).getImageUri())
            .name("Sunrise")
            .symbol("SUN")
            .description("Made with a generated client.")
            .transferFeePercent(new BigDecimal("3.5"))
            .decimals(6)
            .supply("1000000000000000");
        var draft = tokens.createTokenDraft(wished, null, null);
        var created = tokens.submitToken(new SignedTransaction().transactionId(draft.getTransactionId())
            .signedTransaction(signed(wallet, "transaction", draft.getTransaction())), null, null, null);
        List<String> walked = new ArrayList<>();
        ListTokensAnswer page = listed(tokens, 1, null);
        for (;; page = listed(tokens, 1, page.getNext())) {
            page.getTokens().forEach(card -> walked.add(card.getMintAddress()));
            if (page.getNext() == null) break;
        }
        DistributionApi distribution = new DistributionApi(client);
        String id = created.getToken().getId().toString();
        var changed = distribution.updateSettings(id,
            new SettingsInput().burnPercent(new BigDecimal(7)).telegramGroupId(""), null, null, null);
        List<Object> before = new ArrayList<>();
        distribution.listSettingsChanges(id, null, null, null, null, null).getChanges()
            .forEach(change -> before.add(change.getBefore() == null ? null : change.getBefore().getBurnPercent()));
        try {
            tokens.createTokenDraft(wished.supply("none"), null, null);
            throw new IllegalStateException("a supply of none was accepted");
        } catch (ApiException refusal) {
            Problem refused = client.getObjectMapper().readValue(refusal.getResponseBody(), Problem.class);
            System.out.println(client.getObjectMapper().writeValueAsString(Map.of(
                "mintAddress", created.getToken().getMintAddress(),
                "refused", Map.of(
                    "status", refused.getStatus(),
                    "code", refused.getCode(),
                    "field", refused.getDetails().get(0).getPath().get(0)),
                "walked", walked,
                "second", listed(tokens, 2, null).getTokens().get(0).getMintAddress(),
                "changed", List.of(changed.getBurnPercent(), changed.getDistributionInterval(), changed.getDistributionEnabled()),
                "burnedBefore", before)));
        }
    }

    private static ListTokensAnswer listed(TokensApi tokens, int page, String after) throws Exception {
        return tokens.listTokens(page, 1, after, TokenSort.TOKEN_SORT_PAID, null, null, null, "SOL",
            LaunchState.LAUNCH_STATE_NONE, null, null, null);
    }

    private static String signed(String wallet, String what, String text) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(wallet + "/" + what))
            .POST(HttpRequest.BodyPublishers.ofString(text)).build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
