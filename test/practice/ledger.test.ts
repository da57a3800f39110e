import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LedgerLine } from '../../src/practice/protocol.ts'
import { startPractice } from './faulty-practice.ts'
import type { PracticeServer } from './faulty-practice.ts'
import { client, data, form, partnerClient, picture } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

let server: PracticeServer
const folder = folderForAll()
const ledgerFile = join(folder, 'ledger.jsonl')

beforeAll(async () => {
  server = await startPractice({ ledgerFile, jobTime: { kind: 'fixed', ms: 0 } })
})
afterAll(async () => {
  await server.close()
})

const lines = (): LedgerLine[] =>
  readFileSync(ledgerFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => LedgerLine.parse(JSON.parse(line)))

it('has every request, answer and charge in the file by the time the client has the answer', async () => {
  const image = await picture('jpeg')
  const fields = { 'languages[]': ['fr', 'en'], format: 'avif' }
  const answer = await client(server).post('/images/process', form(image, fields, 'one.jpg'))
  const [request, charge, answered] = lines()
  const jobId = data<{ job_id: string }>(answer).job_id
  const sha256 = createHash('sha256').update(image).digest('hex')
  expect(request).toMatchObject({ type: 'request', seq: 1, method: 'POST', route: 'process', keyId: 'key-1' })
  expect(charge).toMatchObject({
    type: 'charge',
    seq: 1,
    jobId,
    operation: 'process',
    sha256,
    languages: ['en', 'fr'],
    format: 'avif',
    credits: 5,
    accountId: 'account-1',
    sizeBytes: image.length,
  })
  expect(answered).toMatchObject({ type: 'answer', seq: 1, status: 202 })
})

it('has the refused, the unknown and the malformed ones too, and never a key', async () => {
  await client(server, 'wrong').get('/credits/balance')
  await client(server).get('/nowhere')
  await partnerClient(server)('/charge-points?per_page=1')
  await client(server).get('/jobs/%zz')
  const entries = server.ledger().requests.slice(-4)
  expect(entries.map((entry) => [entry.route, entry.status, entry.keyId])).toEqual([
    ['balance', 401, null],
    ['unknown', 404, null],
    ['charge-points', 200, 'token-1'],
    ['unknown', 400, null],
  ])
  const text = readFileSync(ledgerFile, 'utf8') + JSON.stringify(server.ledger())
  expect(text).not.toContain(server.apiKey)
  expect(text).not.toContain(server.partnerToken)
})

it('says the same over the control channel as in the file', async () => {
  const snapshot = await server.control({ type: 'get-ledger' })
  const written = lines()
  expect(snapshot).toEqual(server.ledger())
  expect(snapshot.requests).toHaveLength(written.filter((line) => line.type === 'request').length)
  expect(snapshot.charges).toEqual(written.filter((line) => line.type === 'charge'))
  expect(snapshot.totals.credits).toBe(5)
})
