/** For Flatpak: the files of the Debian package, in the runtime that the base app of Electron is for. */
import { ID, NAME } from '../desktop/menu-entry.mjs'

const RUNTIME = '24.08'

/** `[name, text]` of the one file. */
export function flatpakManifest({ files: { linuxX64, linuxArm64 } }) {
  const debs = [
    ['x86_64', linuxX64],
    ['aarch64', linuxArm64],
  ].filter(([, file]) => file !== undefined)
  const manifest = {
    id: ID,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': RUNTIME,
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': RUNTIME,
    command: NAME,
    'rename-desktop-file': `${NAME}.desktop`,
    'rename-icon': NAME,
    'finish-args': [
      '--share=ipc',
      '--share=network',
      '--socket=wayland',
      '--socket=fallback-x11',
      '--device=dri',
      // Results are written beside the originals, wherever these are.
      '--filesystem=home',
      '--filesystem=/media',
      '--filesystem=/mnt',
      '--filesystem=/run/media',
      '--talk-name=org.freedesktop.Notifications',
      '--talk-name=org.freedesktop.secrets',
      '--talk-name=org.kde.StatusNotifierWatcher',
      '--system-talk-name=org.freedesktop.login1',
    ],
    modules: [
      {
        name: NAME,
        buildsystem: 'simple',
        'build-commands': [
          'ar p hangar.deb data.tar.gz | tar -xz --no-same-owner --no-same-permissions',
          'mkdir -p /app/lib /app/share',
          `mv usr/lib/${NAME} /app/lib/`,
          'mv usr/share/applications usr/share/icons usr/share/metainfo /app/share/',
          // The entry is renamed to the name of the app, see above.
          `sed -i 's/>${NAME}\\.desktop</>${ID}.desktop</' /app/share/metainfo/${ID}.metainfo.xml`,
          `install -D -m 755 start.sh /app/bin/${NAME}`,
        ],
        sources: [
          ...debs.map(([arch, { url, sha256 }]) => ({
            type: 'file',
            url,
            sha256,
            'dest-filename': 'hangar.deb',
            'only-arches': [arch],
          })),
          {
            type: 'script',
            'dest-filename': 'start.sh',
            commands: [`exec zypak-wrapper /app/lib/${NAME}/${NAME} "$@"`],
          },
        ],
      },
    ],
  }
  return [`${ID}.json`, `${JSON.stringify(manifest, null, 2)}\n`]
}
