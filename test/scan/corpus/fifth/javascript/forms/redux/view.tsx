import { useSelector } from "react-redux";
import { selectCurrent } from "./slice";
export const V = () => { const p = useSelector(selectCurrent); return <b>{p.main_wallet}</b>; }; // read: passport.main_wallet
