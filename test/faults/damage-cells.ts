import Database from 'better-sqlite3'
import type { Random } from '../../src/shared/runtime/ports.ts'

/** Up to this many bytes in one cell, now and then. */
const HUGE_BYTES = 200 * 2 ** 20

/** SQL for what is put into a cell of the column `at`. */
const CONTENTS: Record<string, (random: Random, at: string, fromAnother: string) => string> = {
  null: () => 'NULL',
  negative: (random) => `${-Math.floor(random() * 2 ** 40)}`,
  least: () => '-9223372036854775808',
  most: () => '9223372036854775807',
  real: () => '1e308',
  infinite: () => '9e999',
  empty: () => `''`,
  text: () => `'../../../etc/passwd'`,
  blob: () => `x'00ff80fe'`,
  zeros: () => `CAST(zeroblob(300) AS TEXT)`,
  'half a document': (_, at) => `substr(${at}, 1, length(${at}) / 2)`,
  "another row's": (_, __, fromAnother) => fromAnother,
  'one letter other': (random, at) => {
    const place = 1 + Math.floor(random() * 60)
    return `substr(${at}, 1, ${place}) || 'x' || substr(${at}, ${place + 2})`
  },
  deep: (random) => `'${'['.repeat(1000 + Math.floor(random() * 200_000))}'`,
  wide: (random) => `'[' || replace(hex(zeroblob(${1000 + Math.floor(random() * 3e6)})), '00', '{},') || '0]'`,
  'a large number': () => `'1' || replace(hex(zeroblob(100000)), '00', '0')`,
  'huge text': (random) => `CAST(zeroblob(${Math.floor(random() * HUGE_BYTES)}) AS TEXT)`,
  'huge blob': (random) => `zeroblob(${Math.floor(random() * HUGE_BYTES)})`,
}
const RARE = new Set(['huge text', 'huge blob', 'wide'])

/** Gives one to three cells of the journal at `path` other content, whatever its definitions say. */
export function damageCells(path: string, random: Random): string {
  const db = new Database(path)
  try {
    db.unsafeMode(true)
    db.pragma('journal_mode = DELETE')
    const done: string[] = []
    withoutRules(db, () => {
      for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) done.push(damageCell(db, random))
    })
    return done.join(', ')
  } finally {
    db.close()
  }
}

function damageCell(db: Database.Database, random: Random): string {
  const one = <Choice>(all: readonly Choice[]) => all[Math.floor(random() * all.length)]!
  const tables = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all()
  const filled = tables.filter((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined)
  const table = one(filled)
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  const column = one(columns)
  const rows = db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get()!
  let kind = one(Object.keys(CONTENTS))
  if (RARE.has(kind) && random() < 0.7) kind = 'negative'
  const first = columns[0]!
  const of = (wanted: string) => `(SELECT ${wanted} FROM ${table} LIMIT 1 OFFSET ${Math.floor(random() * rows)})`
  const [which, fromAnother] = [`${first} = ${of(first)}`, of(column)]
  try {
    db.exec(`UPDATE OR IGNORE ${table} SET ${column} = ${CONTENTS[kind]!(random, column, fromAnother)} WHERE ${which}`)
  } catch {
    // What an index of its own refuses.
  }
  return `${table}.${column} ${kind}`
}

/** Tables take any content meanwhile; afterwards their definitions are as before, to the letter. */
function withoutRules(db: Database.Database, change: () => void): void {
  const redefine = (how: string) => {
    db.pragma('writable_schema = ON')
    db.exec(how)
    db.pragma('writable_schema = RESET')
  }
  db.pragma('ignore_check_constraints = ON')
  db.exec('CREATE TEMP TABLE kept AS SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL')
  redefine(`UPDATE sqlite_schema SET sql = replace(replace(replace(replace(replace(sql, ' STRICT, WITHOUT', ' WITHOUT'), ') STRICT', ')'),
    'NOT NULL', ''), ' TEXT', ''), ' INTEGER', '') WHERE type = 'table' AND sql NOT LIKE '%id INTEGER PRIMARY KEY%'`)
  change()
  redefine(
    'UPDATE sqlite_schema SET sql = (SELECT sql FROM kept WHERE kept.name = sqlite_schema.name) WHERE name IN (SELECT name FROM kept)',
  )
}
