import { DataGrid } from "@mui/x-data-grid";
import { useReactTable } from "@tanstack/react-table";
import useSWR from "swr";
const fetcher = (u: string) => fetch(u).then((r) => r.json());
const columns = [
  { field: "passport_id", headerName: "ID" }, // read: passports[].passport_id
  { field: "score", headerName: "Score", valueGetter: (_, row) => row.score }, // read: passports[].score
];
const defs = [{ accessorKey: "passport_profile.display_name" }, { accessorFn: (r) => r.main_wallet }]; // read: passports[].passport_profile.display_name, passports[].main_wallet
export const Grid = () => {
  const { data } = useSWR("/api/v1/passports", fetcher); // call: passport-list
  const table = useReactTable({ data: data?.passports ?? [], columns: defs }); // hazard: fallback-default
  return <DataGrid rows={data?.passports ?? []} columns={columns} getRowId={(r) => r.passport_id} />; // read: passports[].passport_id; hazard: fallback-default
};
