import { useState } from 'react'
import { t } from 'i18next'
import { ask } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { isSameText, useEdited } from '../../store/use-edited.ts'
import { errorText } from '../../store/error-text.ts'
import { Button } from '../../parts/button.tsx'
import { Form, TextField } from '../../parts/field.tsx'
import { KeyControl } from './key-control.tsx'
import { useStateOf } from '../../parts/use-state-of.ts'

/** Address and key of a service. Without an address the practice service is used. */
export function ServiceSection({ name, baseUrl }: { name: 'image' | 'chargers'; baseUrl: string | null }) {
  const isImage = name === 'image'
  /** Found while a key was tried at this address. */
  const [notThere, setNotThere] = useStateOf<string | null>(baseUrl ?? '', null)
  return (
    <>
      {baseUrl === null ? (
        <p className="secondary">{isImage ? t('settings:practiceInUse') : t('settings:chargersPractice')}</p>
      ) : null}
      <AddressField name={name} baseUrl={baseUrl} notThere={notThere} onTyped={() => setNotThere(null)} />
      {baseUrl === null ? null : <KeyControl key={baseUrl} name={name} onAddressProblem={setNotThere} />}
    </>
  )
}

interface AddressFieldProps {
  name: 'image' | 'chargers'
  baseUrl: string | null
  notThere: string | null
  onTyped: () => void
}

function AddressField({ name, baseUrl, notThere, onTyped }: AddressFieldProps) {
  const edited = useEdited(baseUrl ?? '', isSameText)
  const [problem, setProblem] = useState<string | null>(null)
  const isImage = name === 'image'
  const trimmed = edited.draft.trim()
  const save = (value: string | null) =>
    edited.store(value ?? '', async () => {
      const result = await ask('settings.set', isImage ? { imageBaseUrl: value } : { chargerBaseUrl: value })
      setProblem(result.ok ? null : errorText(result.error))
      return result.ok
    })
  return (
    <Form
      className="stack"
      onSubmit={() => {
        if (trimmed === '') setProblem(t('settings:addressNeeded'))
        else inBackground(() => save(trimmed))
      }}
    >
      <TextField
        label={t('settings:address')}
        error={problem ?? notThere}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        placeholder={isImage ? 'https://…/api/v1' : 'https://'}
        value={edited.draft}
        onChange={(event) => {
          edited.set(event.target.value)
          setProblem(null)
          onTyped()
        }}
      />
      <div className="settings-buttons row">
        <Button type="submit" disabled={trimmed === baseUrl}>
          {t('settings:useAddress')}
        </Button>
        {baseUrl === null ? null : (
          <Button
            kind="quiet"
            onClick={() => {
              edited.set('')
              inBackground(() => save(null))
            }}
          >
            {isImage ? t('settings:backToPractice') : t('settings:backToSamples')}
          </Button>
        )}
      </div>
    </Form>
  )
}
