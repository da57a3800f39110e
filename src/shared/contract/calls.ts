import type { z } from 'zod'
import { appCalls } from './app.ts'
import { browserCalls } from './browsers.ts'
import { chargerCalls } from './chargers.ts'
import { creditCalls } from './credits.ts'
import { folderCalls } from './folders.ts'
import { hookCalls } from './hooks.ts'
import { batchCalls, intakeCalls } from './intake.ts'
import { jobCalls } from './jobs.ts'
import { keyCalls } from './keys.ts'
import { PATHS, placeCalls, type PlaceForms, type Side } from './places.ts'
import { queueCalls } from './queue.ts'
import { recipeCalls } from './recipes.ts'
import { settingsCalls } from './settings.ts'
import { teamCalls } from './team.ts'
import { importCalls, textCalls } from './texts.ts'

/* Every call: its request, its response, and who may make it. Secrets go in, never out. */
/** The table, with files and folders in the form that one side uses. */
export const callsWith = <S extends Side>(at: PlaceForms<S>) => ({
  ...jobCalls,
  ...textCalls,
  ...importCalls(at),
  ...intakeCalls(at),
  ...batchCalls,
  ...queueCalls,
  ...folderCalls(at),
  ...creditCalls,
  ...recipeCalls(at),
  ...chargerCalls,
  ...keyCalls,
  ...settingsCalls(at),
  ...teamCalls,
  ...placeCalls(at),
  ...appCalls,
  ...hookCalls,
  ...browserCalls,
})

/** The form of this process: with paths. */
export const CALLS = callsWith(PATHS)

type Inside = typeof CALLS
/** The form of a page: with tokens. Decoding a request turns them into paths, encoding a response turns paths into tokens. */
export type PageContract = ReturnType<typeof callsWith<'page'>>

type MadeBy<Maker extends Inside[keyof Inside]['by']> = {
  [Name in keyof Inside]: Inside[Name]['by'] extends Maker ? Name : never
}[keyof Inside]

/** Calls that the engine answers. */
export type EngineCall = MadeBy<'engine' | 'both'>
/** Calls that a page may make. */
export type PageCall = MadeBy<'both' | 'page' | 'browser'>
/** Calls of a page that the engine answers. */
export type PassedCall = MadeBy<'both'>
/** Calls that the code behind every page answers. */
export type OwnPageCall = MadeBy<'page'>
/** Calls that the web shell answers. */
export type BrowserCall = keyof typeof browserCalls

/** What a caller passes: members with defaults may be left out. */
export type EngineRequest<Name extends EngineCall> = z.input<Inside[Name]['request']>
/** What a handler receives: validated and with defaults. */
export type CheckedRequest<Name extends keyof Inside> = z.output<Inside[Name]['request']>
export type CheckedResponse<Name extends keyof Inside> = z.output<Inside[Name]['response']>
export type EngineResponse<Name extends EngineCall> = CheckedResponse<Name>

export type PageRequest<Name extends PageCall> = z.input<PageContract[Name]['request']>
export type PageResponse<Name extends PageCall> = Name extends PassedCall
  ? z.input<PageContract[Name]['response']>
  : CheckedResponse<Name>

/** The names of the calls that a page may make, in the order of the table. */
export const PAGE_CALL_NAMES = (Object.keys(CALLS) as (keyof Inside)[]).filter(
  (name): name is PageCall => CALLS[name].by !== 'engine',
)
