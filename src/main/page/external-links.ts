import manifest from '../../../package.json' with { type: 'json' }

export type ExternalLink = 'documentation' | 'source' | 'issues'

interface ProjectAddresses {
  homepage?: string
  repository?: string | { url?: string }
  bugs?: string | { url?: string }
}

/** The only addresses that are ever opened in a browser, from package.json; none but https. */
export function externalLinks(addresses: ProjectAddresses = manifest as object): Partial<Record<ExternalLink, string>> {
  const { homepage, repository, bugs } = addresses
  const given = { documentation: homepage, source: urlOf(repository)?.replace(/^git\+/, ''), issues: urlOf(bugs) }
  const usable = Object.entries(given).filter(([, url]) => url !== undefined && isHttps(url))
  return Object.fromEntries(usable)
}

const urlOf = (address: string | { url?: string } | undefined) => (typeof address === 'string' ? address : address?.url)

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:'
}
