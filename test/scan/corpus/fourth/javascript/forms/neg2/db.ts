export const db: any = {};
