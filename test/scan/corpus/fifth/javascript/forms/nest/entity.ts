import { Entity, Column } from "typeorm";
@Entity()
export class Person { @Column() score: number; @Column() main_wallet: string; @Column() human_checkmark: boolean; @Column() passport_id: number; }
export const show = (p: Person) => p.score + p.main_wallet;
