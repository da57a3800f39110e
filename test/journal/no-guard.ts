import type { JournalGuard } from '../../src/main/journal/journal-guard.ts'

/** For a journal that is only in memory. */
export const NO_GUARD: JournalGuard = {
  broken: null,
  check: () => undefined,
  sent: () => undefined,
  note: () => undefined,
  onBroken: () => () => undefined,
}
