import { createColumnHelper, type ColumnDef } from '@tanstack/react-table'
import { formatDistanceToNow } from 'date-fns'
import type { Founder } from '../../services/founders'

const helper = createColumnHelper<Founder>()

export const columns = [
  helper.accessor('passport_profile.display_name', { header: 'Founder', cell: (info) => info.getValue() ?? '—' }),
  helper.accessor((row) => row.passport_profile.location, { id: 'city', header: 'City' }),
  helper.accessor('score', { header: 'Score', sortDescFirst: true }),
  {
    accessorKey: 'connections_count',
    header: 'Network',
    cell: ({ row }) => row.original.connections_count ?? 0,
  },
  {
    accessorFn: (f) => f.passport_profile.tags.join(', '),
    id: 'topics',
    header: 'Topics',
  },
  helper.display({
    id: 'fresh',
    cell: ({ row: { original: f } }) =>
      f.last_calculated_at ? formatDistanceToNow(new Date(f.last_calculated_at), { addSuffix: true }) : 'never',
  }),
] as ColumnDef<Founder>[]
