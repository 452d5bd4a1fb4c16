const low = require('lowdb')
const FileSync = require('lowdb/adapters/FileSync')

const db = low(new FileSync(process.env.DB_FILE || 'house.json'))
db.defaults({ residents: [] }).write()

exports.residents = () => db.get('residents').value()

exports.addResident = (resident) => {
  const found = db.get('residents').find({ wallet: resident.wallet })
  if (found.value()) found.assign(resident).write()
  else db.get('residents').push({ ...resident, since: new Date().toISOString() }).write()
}
