/** Holds a lock of SQLite's on a file: `hold-lock.ts FILE SQL`. Says when it has it, and lets go 300 ms later. */
import process from 'node:process'
import Database from 'better-sqlite3'

const [, , file, sql] = process.argv
const db = new Database(file)
db.exec(sql!)
process.send!('held')
setTimeout(() => {
  db.close()
  process.disconnect()
}, 300)
