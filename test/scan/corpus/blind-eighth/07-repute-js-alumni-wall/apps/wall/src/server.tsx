import express from 'express'
import render from 'preact-render-to-string'
import { loadClass, newcomers } from './alumni'
import { Wall } from './Wall'

const app = express()

app.get('/class/:year', async (req, res, next) => {
  try {
    const [alumni, fresh] = await Promise.all([loadClass(Number(req.params.year)), newcomers()])
    res.send(`<!doctype html>${render(<Wall alumni={alumni} fresh={fresh} />)}`)
  } catch (e) {
    next(e)
  }
})

app.listen(process.env.PORT ?? 3000)
