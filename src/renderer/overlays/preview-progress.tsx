import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { countText } from '../text/figures.ts'

/** The progress of a preview, until it is complete. */
export function PreviewProgress({ preview: { pictures, progress } }: { preview: IntakePreview }) {
  const { t, i18n } = useTranslation('intake')
  if (progress === null) return null
  const { looked, of } = progress
  const count = (figure: number) => countText(figure, i18n.language)
  return (
    <div className="intake-progress">
      <p className="secondary figures">
        {of === null
          ? t('found', { count: pictures, shown: count(pictures) })
          : t('looked', { count: of, shown: count(looked), total: count(of) })}
      </p>
      <progress
        className="progress"
        {...(of === null ? {} : { value: looked, max: Math.max(1, of) })}
        aria-label={t('looking')}
      />
    </div>
  )
}
