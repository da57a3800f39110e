import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from 'i18next'
import { toast } from '../store/toasts.ts'
import { Button, IconButton } from './button.tsx'

const SHOWN_MS = 1500

/** Copies a text; without a `label` it is an icon named "Copy". `of`: as for `IconButton`. */
export function CopyButton({ text, label, name, of }: { text: string; label?: string; name?: string; of?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast(t('common:copyFailed'), { bad: true }),
    )
  }
  const picture = copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />
  if (label === undefined)
    return (
      <IconButton label={copied ? t('common:copied') : (name ?? t('common:copy'))} of={of} onClick={copy}>
        {picture}
      </IconButton>
    )
  return (
    <Button onClick={copy}>
      {picture}
      {copied ? t('common:copied') : label}
    </Button>
  )
}
