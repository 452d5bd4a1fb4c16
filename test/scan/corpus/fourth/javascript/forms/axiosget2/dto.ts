export interface PassportDto { main_wallet: string; score: number; verified_wallets: string[]; passport_profile: { bio?: string } }
