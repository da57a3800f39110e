import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../parts/button.tsx'
import type { PictureView } from './use-picture-view.ts'

export function ZoomButtons({ view }: { view: PictureView }) {
  const { t, i18n } = useTranslation('detail')
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <div className="compare-zoom">
      <span className="caption figures" aria-live="polite">
        {view.isReady ? percent.format(view.placed.scale * devicePixelRatio) : ''}
      </span>
      <IconButton label={t('compare.zoomOut')} onClick={view.reduce} disabled={view.isFit}>
        <ZoomOut size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('compare.zoomIn')} onClick={view.enlarge} disabled={!view.isReady}>
        <ZoomIn size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('compare.fit')} onClick={view.fit} disabled={view.isFit}>
        <Maximize size={15} aria-hidden />
      </IconButton>
      <Button kind="quiet" onClick={view.actual} disabled={!view.isReady}>
        {t('compare.actual')}
      </Button>
    </div>
  )
}
