import { lazy, Suspense, useEffect, type CSSProperties, type ReactNode } from 'react'
import { t } from 'i18next'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { PlaceHeader } from '../../parts/place-header.tsx'
import { PlaceLink } from '../../parts/place-link.tsx'
import { useShell } from '../../store/shell-store.ts'
import { SETTINGS_PAGES, useView, type SettingsSection } from '../../store/view-store.ts'
import { AboutSection } from './about-section.tsx'
import { DataSection } from './data-section.tsx'
import { FileManagersSetting } from './file-managers-setting.tsx'
import { HooksSection } from './hooks-section.tsx'
import { FoldedSection, Section } from './section.tsx'
import { ServiceSection } from './service-section.tsx'
import { SettingControls } from './setting-controls.tsx'
import { TeamSection } from './team-section.tsx'
import './settings.css'

const RecipesSection = lazy(() =>
  import('../../recipe/recipes-section.tsx').then(({ RecipesSection: Part }) => ({ default: Part })),
)

/** What a shell can do for Hangar in the system; a browser does none of it. */
const SYSTEM_PARTS = ['notify', 'startAtLogin', 'tray', 'fileManagers'] as const

const PAGES = Object.keys(SETTINGS_PAGES) as (keyof typeof SETTINGS_PAGES)[]

const SECTIONS: Record<SettingsSection, (settings: UiSettings) => ReactNode> = {
  appearance: (settings) => <SettingControls of="appearance" settings={settings} />,
  notices: (settings) => (
    <>
      <SettingControls of="notices" settings={settings} />
      <FileManagersSetting />
    </>
  ),
  about: () => <AboutSection />,
  services: (settings) => <ServiceSection name="image" baseUrl={settings.imageBaseUrl} />,
  spending: (settings) => (
    <>
      <Caps settings={settings} />
      <SettingControls of="spending" settings={settings} />
    </>
  ),
  recipes: () => (
    <Suspense fallback={null}>
      <RecipesSection />
    </Suspense>
  ),
  chargers: (settings) => (
    <>
      <ServiceSection name="chargers" baseUrl={settings.chargerBaseUrl} />
      <SettingControls of="chargers" settings={settings} />
    </>
  ),
  queue: (settings) => <SettingControls of="queue" settings={settings} />,
  team: (settings) => <TeamSection settings={settings} />,
  hooks: () => <HooksSection />,
  data: (settings) => <DataSection settings={settings} />,
}

/** One page at a time. What few people need stands folded on the last one. */
export default function SettingsPlace() {
  const settings = useShell(({ state }) => state?.settings ?? null)
  const hasSystemParts = useShell(({ state }) => SYSTEM_PARTS.some((part) => state?.app.capabilities.includes(part)))
  const wanted = useView((view) => view.section)
  const visit = useView((view) => view.visit)
  useEffect(() => {
    if (wanted !== null) show(wanted)
    // The shortcut may have replaced the page that had the focus.
    else if (document.activeElement === document.body) show(SETTINGS_PAGES.general[0])
  }, [wanted, visit])
  if (settings === null) return null
  const page = PAGES.find((name) => SETTINGS_PAGES[name].some((section) => section === wanted)) ?? 'general'
  const Part = page === 'advanced' ? FoldedSection : Section
  return (
    <section className="place">
      <PlaceHeader title={t('common:places.settings')} />
      <div className="place-scroll settings">
        <nav aria-label={t('settings:nav')}>
          <ul className="settings-nav">
            {PAGES.map((name) => (
              <li key={name}>
                <PlaceLink
                  to={{ place: 'settings', section: SETTINGS_PAGES[name][0] }}
                  aria-current={name === page ? 'page' : undefined}
                >
                  {t(`settings:pages.${name}`)}
                </PlaceLink>
              </li>
            ))}
          </ul>
        </nav>
        <div>
          {SETTINGS_PAGES[page].map((name) =>
            name === 'notices' && !hasSystemParts ? null : (
              <Part key={name} id={name} title={t(`settings:sections.${name}`)}>
                <div className="stack loose">{SECTIONS[name](settings)}</div>
              </Part>
            ),
          )}
        </div>
      </div>
    </section>
  )
}

function Caps({ settings }: { settings: UiSettings }) {
  return (
    <div className="field">
      <div className="field-label">{t('settings:caps')}</div>
      <div className="columns" style={{ '--least': '140px', '--most': '160px' } as CSSProperties}>
        <SettingControls of="caps" settings={settings} />
      </div>
    </div>
  )
}

function show(name: string): void {
  const heading = document.getElementById(`settings-${name}-title`)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
