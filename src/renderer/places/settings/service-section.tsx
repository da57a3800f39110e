import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../../shared/settings.ts'
import { ask } from '../../store/bridge.ts'
import { inBackground } from '../../store/in-background.ts'
import { errorText } from '../../text/error-text.ts'
import { Button } from '../../parts/button.tsx'
import { Segmented, TextField } from '../../parts/field.tsx'
import { toast } from '../../parts/toasts.tsx'
import { change } from './change.ts'
import { KeyControl } from './key-control.tsx'
import { SettingRow } from './section.tsx'

interface ServiceSectionProps {
  name: 'image' | 'chargers'
  baseUrl: string | null
  /** Null if the service has only one. */
  keyHeader: Settings['keyHeader'] | null
}

/** Address and key of a service. Without an address the practice service is used. */
export function ServiceSection({ name, baseUrl, keyHeader }: ServiceSectionProps) {
  const { t } = useTranslation('settings')
  const isImage = name === 'image'
  return (
    <div className="settings-rows">
      {baseUrl === null ? (
        <p>
          {isImage ? t('practiceInUse') : t('chargersPractice')} {isImage ? t('useReal') : null}
        </p>
      ) : null}
      <AddressField name={name} baseUrl={baseUrl} />
      {baseUrl === null ? null : <KeyControl key={baseUrl} name={name} />}
      {keyHeader === null || baseUrl === null ? null : (
        <SettingRow label={t('header')} hint={t('headerHint')}>
          <Segmented
            label={t('header')}
            value={keyHeader}
            onChange={(value) => inBackground('service-section.change', () => change({ keyHeader: value }))}
            choices={[
              { value: 'bearer', label: t('bearer') },
              { value: 'x-api-key', label: t('xApiKey') },
            ]}
          />
        </SettingRow>
      )}
    </div>
  )
}

function AddressField({ name, baseUrl }: { name: 'image' | 'chargers'; baseUrl: string | null }) {
  const { t } = useTranslation('settings')
  const [text, setText] = useState(baseUrl ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const isImage = name === 'image'
  useEffect(() => setText(baseUrl ?? ''), [baseUrl])
  const save = async (value: string | null) => {
    const result = await ask('settings.set', isImage ? { imageBaseUrl: value } : { chargerBaseUrl: value })
    setProblem(result.ok ? null : errorText(result.error))
    if (result.ok) toast(t('addressKept'))
  }
  const trimmed = text.trim()
  return (
    <form
      className="settings-address"
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed !== '') inBackground('service-section.save', () => save(trimmed))
      }}
    >
      <TextField
        label={t('address')}
        hint={isImage ? t('addressHint') : t('chargerAddressHint')}
        error={problem}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        placeholder="https://"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="settings-buttons">
        <Button type="submit" disabled={trimmed === '' || trimmed === baseUrl}>
          {t('useAddress')}
        </Button>
        {baseUrl === null ? null : (
          <Button kind="quiet" onClick={() => inBackground('service-section.save', () => save(null))}>
            {isImage ? t('backToPractice') : t('backToSamples')}
          </Button>
        )}
      </div>
    </form>
  )
}
