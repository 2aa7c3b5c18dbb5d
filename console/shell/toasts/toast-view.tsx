import { CheckCircleIcon, WarningCircleIcon, XIcon } from '@phosphor-icons/react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useStore } from '../../lib/store.ts'
import { shellText } from '../../text/shell.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureReference } from '../../ui/page/failure.tsx'
import { shownMs, type ToastMessage, type ToastStore } from './toast-store.ts'

/** Mounts the messages outside of every page, so that they stay during a navigation. */
export function mountToasts(store: ToastStore): void {
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<Toasts store={store} />)
}

/** The messages that are shown now, newest last. */
export function Toasts({ store }: { store: ToastStore }) {
  const toasts = useStore(store)
  return (
    <section
      aria-label={shellText.toasts.label}
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:items-end"
    >
      <SpokenWords newest={toasts.findLast((toast) => !toast.failure)} />
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={() => store.dismiss(toast.id)} />
      ))}
    </section>
  )
}

/**
 * Announces each message once. Screen readers read only text that is added to an existing live region. So the region is emptied first,
 * because the next message may have the same text, and gets the text later.
 */
function SpokenWords({ newest }: { newest: ToastMessage | undefined }) {
  const [said, setSaid] = useState('')
  const lastId = useRef(0)
  useEffect(() => {
    setSaid('')
    // After a newer message has gone, an older one is the newest again. It was announced before.
    if (newest === undefined || newest.id < lastId.current) return
    lastId.current = newest.id
    const timer = setTimeout(() => setSaid(newest.words), 100)
    return () => clearTimeout(timer)
  }, [newest])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}

function ToastCard({ toast, onDismiss }: { toast: ToastMessage; onDismiss: () => void }) {
  // The timer stops while the message is hovered or focused.
  const [isHeld, setHeld] = useState(false)
  const dismiss = useEffectEvent(onDismiss)
  const ms = shownMs(toast)
  useEffect(() => {
    if (ms === null || isHeld) return
    const timer = setTimeout(() => dismiss(), ms)
    return () => clearTimeout(timer)
  }, [ms, isHeld])
  const Icon = toast.tone === 'attention' ? WarningCircleIcon : CheckCircleIcon
  return (
    <div
      {...(toast.failure && { role: 'alert' })}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="animate-enter pointer-events-auto flex w-full max-w-sm items-start gap-2.5 rounded-lg bg-kumo-base py-2 pr-2 pl-3 text-kumo-default shadow-lg ring-1 ring-kumo-line"
    >
      <Icon
        weight="fill"
        className={`mt-1.5 size-[18px] shrink-0 ${toast.tone === 'attention' ? 'text-removed' : 'text-added'}`}
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1 py-1">
        <p className="break-words">{toast.words}</p>
        {toast.failure && <FailureReference failure={toast.failure} />}
      </div>
      {toast.action && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            toast.action?.run()
            onDismiss()
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <Button
        size="sm"
        variant="ghost"
        shape="square"
        aria-label={shellText.toasts.dismiss}
        icon={<XIcon />}
        onClick={onDismiss}
      />
    </div>
  )
}
