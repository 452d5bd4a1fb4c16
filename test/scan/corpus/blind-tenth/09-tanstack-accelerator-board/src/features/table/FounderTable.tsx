import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { flexRender, getCoreRowModel, getSortedRowModel, useReactTable } from '@tanstack/react-table'
import { listFounders, type Founder } from '../../services/founders'
import { columns } from './columns'

const none: Founder[] = []

export function FounderTable({ keyword, onPick }: { keyword: string; onPick: (f: Founder) => void }) {
  const [page, setPage] = useState(1)
  const { data, isError } = useQuery({
    queryKey: ['founders', keyword, page],
    queryFn: () => listFounders(keyword, page),
    placeholderData: keepPreviousData,
    select: ({ rows, pages }) => ({ rows: rows.filter((r) => r.human_checkmark), pages }),
  })

  const table = useReactTable({
    data: data?.rows ?? none,
    columns,
    getRowId: (row) => String(row.passport_id),
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  })

  if (isError) return <p role="alert">The founder list is not available.</p>
  return (
    <>
      <table>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} onClick={() => onPick(row.original)}>
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button disabled={page >= (data?.pages ?? 1)} onClick={() => setPage((p) => p + 1)}>
        Next page
      </button>
    </>
  )
}
