import { builderRouter } from './routers/builder'
import { router } from './trpc'

export const appRouter = router({ builder: builderRouter })
export type AppRouter = typeof appRouter
