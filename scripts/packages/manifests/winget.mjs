/** The manifests of the Windows Package Manager, by version 1.10.0 of its schemas. */
import { inEachLanguage } from '../desktop/texts.mjs'

const ID = 'Hangar.Hangar'
const SCHEMA = '1.10.0'
const LOCALES = { en: 'en-US', de: 'de-DE', es: 'es-ES', fr: 'fr-FR', it: 'it-IT' }

/** `[name, text]` of each file. */
export function wingetManifests({ version, date, homepage, bugs, license, publisher, files }) {
  const of = (type, name, fields) => [
    name,
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${SCHEMA}.schema.json\n` +
      yaml({ PackageIdentifier: ID, PackageVersion: version, ...fields, ManifestType: type, ManifestVersion: SCHEMA }),
  ]
  const installers = [
    ['x64', files.windowsX64],
    ['arm64', files.windowsArm64],
  ].filter(([, file]) => file !== undefined)
  const about = inEachLanguage(({ comment, pictures, chargers, keywords }) => ({
    ShortDescription: comment,
    Description: `${pictures}\n\n${chargers}`,
    Tags: keywords.split(', ').map((word) => word.toLowerCase().replaceAll(' ', '-')),
  }))
  const product = {
    Publisher: publisher,
    PublisherSupportUrl: bugs,
    PackageName: 'Hangar',
    PackageUrl: homepage,
    License: license,
  }
  return [
    of('version', `${ID}.yaml`, { DefaultLocale: LOCALES.en }),
    of('installer', `${ID}.installer.yaml`, {
      MinimumOSVersion: '10.0.0.0',
      InstallerType: 'nullsoft',
      Scope: 'user',
      UpgradeBehavior: 'install',
      ReleaseDate: date,
      Installers: installers.map(([arch, { url, sha256 }]) => ({
        Architecture: arch,
        InstallerUrl: url,
        InstallerSha256: sha256.toUpperCase(),
      })),
    }),
    ...about.map(([language, texts]) =>
      of(language === 'en' ? 'defaultLocale' : 'locale', `${ID}.locale.${LOCALES[language]}.yaml`, {
        PackageLocale: LOCALES[language],
        ...product,
        ...texts,
      }),
    ),
  ]
}

/** Each text as in JSON, which YAML reads the same whatever is in it. */
function yaml(fields, indent = '') {
  return Object.entries(fields)
    .map(([key, value]) => {
      if (!Array.isArray(value)) return `${indent}${key}: ${JSON.stringify(value)}\n`
      const items = value.map((item) =>
        typeof item === 'string'
          ? `${indent}- ${JSON.stringify(item)}\n`
          : `${indent}- ${yaml(item, `${indent}  `).trimStart()}`,
      )
      return `${indent}${key}:\n${items.join('')}`
    })
    .join('')
}
