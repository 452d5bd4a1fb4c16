import { app } from './app.js'
import { migrate } from './db.js'

await migrate()
app.listen(process.env.PORT ?? 8080)
