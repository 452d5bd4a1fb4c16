import { QueryClient } from "@tanstack/react-query";
import { fetchCreds } from "./b";
const qc = new QueryClient();
export async function x(id: string) {
  const creds = await qc.fetchQuery({ queryKey: ["c", id], queryFn: () => fetchCreds(id), staleTime: 1000 });
  const useM = useMutation({ mutationFn: fetchCreds, onSuccess: (data) => console.log(data[0].type) }); // read: passport_credentials[].type
  return creds.map((c) => c.max_score); // read: passport_credentials[].max_score
}
