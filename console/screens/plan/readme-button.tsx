import { BookOpenTextIcon } from '@phosphor-icons/react'
import { workText } from '../../text/workspace.en.ts'
import { Button } from '../../ui/controls/button.tsx'

export const README_ID = 'plan-readme'

export function ReadmeButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <Button
      size="sm"
      variant={isOpen ? 'secondary' : 'ghost'}
      className="ml-auto"
      icon={<BookOpenTextIcon />}
      aria-expanded={isOpen}
      aria-controls={isOpen ? README_ID : undefined}
      onClick={onToggle}
    >
      {workText.workspace.readme}
    </Button>
  )
}
