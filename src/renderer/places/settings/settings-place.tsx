import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PlaceHeader } from '../../parts/place-header.tsx'
import { useShell } from '../../store/shell-store.ts'
import { PlaceLink } from '../../parts/place-link.tsx'
import { SETTINGS_SECTIONS, useView, type SettingsSection } from '../../store/view-store.ts'
import { AboutSection } from './about-section.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { ChargersSection } from './chargers-section.tsx'
import { DataSection } from './data-section.tsx'
import { HooksSection } from './hooks-section.tsx'
import { LogSection } from './log-section.tsx'
import { NoticesSection } from './notices-section.tsx'
import { QueueSection } from './queue-section.tsx'
import { Section } from './section.tsx'
import { ServiceSection } from './service-section.tsx'
import { SpendingSection } from './spending-section.tsx'
import { TeamSection } from './team-section.tsx'
import './settings.css'

const RecipesSection = lazy(() =>
  import('../../recipe/recipes-section.tsx').then(({ RecipesSection: Part }) => ({ default: Part })),
)

// oxlint-disable-next-line max-lines-per-function -- a list of the sections, in their order
export default function SettingsPlace() {
  const { t } = useTranslation(['settings', 'common'])
  const settings = useShell(({ state }) => state?.settings ?? null)
  const wanted = useView((view) => view.section)
  const visit = useView((view) => view.visit)
  useEffect(() => {
    if (wanted !== null) show(wanted)
  }, [wanted, visit])
  if (settings === null) return null
  const title = (name: SettingsSection) => t(`sections.${name}`)
  return (
    <section className="place">
      <PlaceHeader title={t('common:places.settings')} />
      <div className="place-scroll settings">
        <nav className="settings-nav" aria-label={t('nav')}>
          <ul>
            {SETTINGS_SECTIONS.map((name) => (
              <li key={name}>
                <PlaceLink to={{ place: 'settings', section: name }}>{title(name)}</PlaceLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="settings-sections">
          <Section id="services" title={title('services')}>
            <ServiceSection name="image" baseUrl={settings.imageBaseUrl} keyHeader={settings.keyHeader} />
          </Section>
          <Section id="chargers" title={title('chargers')}>
            <ServiceSection name="chargers" baseUrl={settings.chargerBaseUrl} keyHeader={null} />
            <ChargersSection settings={settings} />
          </Section>
          <Section id="recipes" title={title('recipes')}>
            <Suspense fallback={null}>
              <RecipesSection />
            </Suspense>
          </Section>
          <Section id="spending" title={title('spending')}>
            <SpendingSection settings={settings} />
          </Section>
          <Section id="team" title={title('team')}>
            <TeamSection settings={settings} />
          </Section>
          <Section id="queue" title={title('queue')}>
            <QueueSection settings={settings} />
          </Section>
          <Section id="appearance" title={title('appearance')}>
            <AppearanceSection settings={settings} />
          </Section>
          <Section id="notices" title={title('notices')}>
            <NoticesSection settings={settings} />
          </Section>
          <Section id="hooks" title={title('hooks')}>
            <HooksSection />
          </Section>
          <Section id="data" title={title('data')}>
            <DataSection settings={settings} />
          </Section>
          <Section id="log" title={title('log')}>
            <LogSection settings={settings} />
          </Section>
          <Section id="about" title={title('about')}>
            <AboutSection />
          </Section>
        </div>
      </div>
    </section>
  )
}

/** Scrolls a section into view and focuses its title. */
function show(name: string): void {
  const heading = document.getElementById(`settings-${name}-title`)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
