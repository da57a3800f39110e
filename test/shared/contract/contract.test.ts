import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CALLS } from '../../../src/shared/contract/calls.ts'

/*
 * "How to add a call" in CONTRIBUTING.md: two files, its area of the contract and its handler. That a handler is there, and fits, the
 * compiler says; that nothing else has to name the call, this test does.
 */

const SOURCE = resolve(import.meta.dirname, '../../../src')
const CONTRACT = 'shared/contract/'
const HANDLERS = /^main\/(engine\/calls|page\/calls|web)\//

/** Which folders are opened. */
const SEEN_ON_THE_WAY: Record<string, string> = { 'intake.preview': 'main/page/calls/place-calls.ts' }

/** What makes a call, such as `engine.call('jobs.get', …)`, or says what is in it, such as `EngineResponse<'jobs.get'>`, needs no change for another one. */
const withoutUses = (text: string) =>
  text.replaceAll(/\b\w+(Request|Response)<'[\w.]+'>|\b(ask|call|perform)\([^,]*,/g, '')

// The page makes calls, and has no list of them.
const files = ['shared', 'main', 'preload'].flatMap((folder) =>
  readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({
      name: `${folder}/${name}`,
      text: withoutUses(readFileSync(join(SOURCE, folder, name), 'utf8')),
    })),
)

describe('a call', () => {
  it.each(Object.entries(CALLS))(
    '%s is named by its area of the contract, by its handler, and nowhere else',
    (name) => {
      const naming = files
        .filter(({ text }) => text.includes(`'${name}'`))
        .map((file) => file.name)
        .filter((file) => file !== SEEN_ON_THE_WAY[name])
      expect(naming).toEqual([expect.stringContaining(CONTRACT), expect.stringMatching(HANDLERS)])
    },
  )

  it('is declared once in its area', () => {
    const areas = files.filter((file) => file.name.startsWith(CONTRACT))
    const declared = areas.flatMap(({ text }) => [...text.matchAll(/^ +'([\w.]+)': \{/gm)].map(([, name]) => name))
    expect(declared.sort()).toEqual(Object.keys(CALLS).sort())
  })
})
