import { CheckIcon, CopyIcon } from '@phosphor-icons/react'
import { useEffect, useState } from 'react'
import { text } from '../../text/en.ts'
import { Button } from './button.tsx'

/** Copies a value and shows that for two seconds. */
export function CopyButton({
  value,
  label,
  size = 'sm',
  words,
}: {
  value: string
  label: string
  size?: 'xs' | 'sm' | 'base'
  /** Shown on the button, where there is room. */
  words?: string
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
  const named = { 'aria-label': label, title: label }
  const icon = copied ? <CheckIcon weight="bold" className="text-added" /> : <CopyIcon />
  return (
    <>
      {words ? (
        <Button type="button" variant="secondary" size={size} icon={icon} {...named} onClick={copy}>
          {words}
        </Button>
      ) : (
        <Button
          type="button"
          variant="ghost"
          size={size}
          shape="square"
          icon={icon}
          {...named}
          onClick={copy}
        />
      )}
      <span role="status" className="sr-only">
        {copied ? text.common.copied : ''}
      </span>
    </>
  )
}
