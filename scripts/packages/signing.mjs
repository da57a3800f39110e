/** What signs a package for macOS or Windows: names of secrets, which electron-builder reads from the environment. */

const NEEDED = {
  mac: [
    { without: 'not signed', secrets: ['CSC_LINK', 'CSC_KEY_PASSWORD'] },
    { without: 'not notarized by Apple', secrets: ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'] },
  ],
  win: [{ without: 'not signed', secrets: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'] }],
}
const SYSTEMS = { mac: 'macOS', win: 'Windows' }

/** Sentences that name each secret that packages for these systems, `mac` or `win`, lack; an empty one is lacking too. */
export function signingFaults(systems, env) {
  return systems.flatMap((system) =>
    NEEDED[system].flatMap(({ without, secrets }) => {
      const missing = secrets.filter((name) => !env[name])
      if (missing.length === 0) return []
      const [names, verb] = [missing.join(' and '), missing.length === 1 ? 'is' : 'are']
      return [`The package for ${SYSTEMS[system]} is ${without}: ${names} ${verb} not set.`]
    }),
  )
}

/**
 * The names of secrets that are set and empty, as a repository without them hands them over: electron-builder would take one for the
 * path of a certificate.
 */
export function emptySecrets(env) {
  const names = Object.values(NEEDED).flatMap((needs) => needs.flatMap(({ secrets }) => secrets))
  return names.filter((name) => env[name] === '')
}
