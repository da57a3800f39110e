import type { UiState } from '../../shared/ui-contract.ts'

/** The state as every page was sent it, so that only parts that differ are sent again. */
export class ToldParts {
  #told: { [Name in keyof UiState]?: string } = {}

  remember(state: UiState): void {
    this.#told = Object.fromEntries(Object.entries(state).map(([name, part]) => [name, JSON.stringify(part)]))
  }

  /** The parts that are not as they were told; from now on they are. */
  changedIn(state: UiState): Partial<UiState> {
    const before = this.#told
    this.remember(state)
    const names = Object.keys(state) as (keyof UiState)[]
    return Object.fromEntries(
      names.filter((name) => before[name] !== this.#told[name]).map((name) => [name, state[name]]),
    )
  }
}
