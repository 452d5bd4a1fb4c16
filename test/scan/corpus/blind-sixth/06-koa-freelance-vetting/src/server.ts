import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { log } from './log.js'
import { errors } from './middleware/errors.js'
import { vettingRoutes } from './routes/vetting.js'
import { TalentClient } from './services/talent.client.js'
import { VettingService } from './services/vetting.js'

const talent = new TalentClient(process.env.TALENT_BASE_URL!, process.env.TALENT_API_KEY)

const app = new Koa()
app.use(errors)
app.use(bodyParser())
app.use(vettingRoutes(new VettingService(talent)))

const port = Number(process.env.PORT ?? 3400)
app.listen(port, () => log.info({ port }, 'listening'))
