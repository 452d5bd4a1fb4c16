import { V1Holders } from "./adapter";
import { Service } from "./service";
const get = (p: string) => fetch("https://rep.example.org" + p).then((r) => r.json());
export const service = new Service(new V1Holders(get));
