type Environment = Record<string, string | undefined>
export function signingFaults(systems: readonly ('mac' | 'win')[], env: Environment): string[]
export function emptySecrets(env: Environment): string[]
