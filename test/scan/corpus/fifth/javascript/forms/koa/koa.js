const Koa = require("koa");
const app = new Koa();
app.use(async (ctx, next) => {
  const res = await ctx.http.get(`${process.env.REP}/api/v1/passports/${ctx.params.id}`); // call: passport
  ctx.state.passport = res.data.passport;
  await next();
});
app.use(async (ctx) => { ctx.body = { s: ctx.state.passport.score }; }); // read: passport.score
