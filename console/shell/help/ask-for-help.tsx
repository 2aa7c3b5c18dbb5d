import { useRouter } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { HelpDialog } from './help-dialog.tsx'
import { helpText } from '../../text/help.en.ts'
import { notify } from '../toasts/toasts.ts'

/** The help dialog of the app shell. After sending it opens the new conversation. */
export function AskForHelp({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  return (
    <HelpDialog
      onClose={onClose}
      onSent={(threadId) => {
        onClose()
        notify(helpText.sent)
        router.history.push(href.helpThread(threadId))
      }}
    />
  )
}
