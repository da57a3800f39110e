import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from './until.ts'

it('a condition that reads a file does not hold while that is not there, or not whole', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'hangar-until-'))
  try {
    const file = join(dir, 'told.json')
    const isTold = () => (JSON.parse(readFileSync(file, 'utf8')) as { told: boolean }).told
    const steps = ['', '{"told":', '{"told":true}']
    await until('it is told', isTold, { pause: async () => writeFileSync(file, steps.shift()!) })
    expect(steps).toEqual([])
  } finally {
    rmSync(dir, { recursive: true })
  }
})

it('what such a condition met last is the cause of the error when it never holds', async () => {
  const waiting = until('it is told', () => JSON.parse('{') as boolean, { patienceMs: 0 })
  const cause = expect.any(SyntaxError) as SyntaxError
  await expect(waiting).rejects.toMatchObject({ message: 'waited in vain until it is told', cause })
})

it('a condition that fails in another way is not tried again', async () => {
  let looks = 0
  const fails = () => {
    looks += 1
    throw new Error('nginx ended')
  }
  await expect(until('nginx answers', fails)).rejects.toThrow('nginx ended')
  expect(looks).toBe(1)
})
