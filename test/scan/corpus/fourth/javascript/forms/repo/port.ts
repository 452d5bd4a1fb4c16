export interface Holder { passport_id: number; score: number; main_wallet: string; verified_wallets: string[] } // hazard: integer-id
export interface HolderPort { byWallet(w: string): Promise<Holder>; all(): Promise<Holder[]> }
