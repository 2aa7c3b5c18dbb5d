import { Button } from '@cloudflare/kumo/components/button'
import { CheckIcon, CopyIcon } from '@phosphor-icons/react'
import { useEffect, useState } from 'react'
import { text } from '../text/en.ts'

/** Copies a value and says so for two seconds. */
export function CopyButton({
  value,
  label,
  size = 'sm',
}: {
  value: string
  label: string
  size?: 'xs' | 'sm' | 'base'
}) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <>
      <Button
        type="button"
        variant="ghost"
        size={size}
        shape="square"
        aria-label={label}
        title={label}
        icon={copied ? <CheckIcon weight="bold" className="text-added" /> : <CopyIcon />}
        onClick={copy}
      />
      <span role="status" className="sr-only">
        {copied ? text.common.copied : ''}
      </span>
    </>
  )
}
