import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LedgerLine } from '../../src/practice/protocol.ts'
import { client, data, form, partnerClient, picture, practiceForAll } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

const folder = folderForAll()
const ledgerFile = join(folder, 'ledger.jsonl')
const at = practiceForAll({ ledgerFile, jobTime: { kind: 'fixed', ms: 0 } })

function lines(): LedgerLine[] {
  const written = readFileSync(ledgerFile, 'utf8').trim().split('\n')
  return written.map((line) => LedgerLine.parse(JSON.parse(line)))
}

it('has every request, answer and charge in the file by the time the client has the answer', async () => {
  const image = await picture('jpeg')
  const fields = { 'languages[]': ['fr', 'en'], format: 'avif' }
  const answer = await at.service.post('/images/process', form(image, fields, 'one.jpg'))
  const [request, charge, answered] = lines()
  const jobId = data<{ job_id: string }>(answer).job_id
  const sha256 = createHash('sha256').update(image).digest('hex')
  expect(request).toMatchObject({ type: 'request', seq: 1, method: 'POST', route: 'process', keyId: 'key-1' })
  const bought = { operation: 'process', sha256, languages: ['en', 'fr'], format: 'avif', credits: 5 }
  const by = { accountId: 'account-1', sizeBytes: image.length }
  expect(charge).toMatchObject({ type: 'charge', seq: 1, jobId, ...bought, ...by })
  expect(answered).toMatchObject({ type: 'answer', seq: 1, status: 202 })
})

it('has the refused, the unknown and the malformed ones too, and never a key', async () => {
  await client(at.server, 'wrong').get('/credits/balance')
  await at.service.get('/nowhere')
  await partnerClient(at.server)('/charge-points?per_page=1')
  await at.service.get('/jobs/%zz')
  const entries = at.server.ledger().requests.slice(-4)
  expect(entries.map((entry) => [entry.route, entry.status, entry.keyId])).toEqual([
    ['balance', 401, null],
    ['unknown', 404, null],
    ['charge-points', 200, 'token-1'],
    ['unknown', 400, null],
  ])
  const text = readFileSync(ledgerFile, 'utf8') + JSON.stringify(at.server.ledger())
  expect(text).not.toContain(at.server.apiKey)
  expect(text).not.toContain(at.server.partnerToken)
})
