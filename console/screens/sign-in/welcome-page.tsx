import { Outlet } from '@tanstack/react-router'
import { text } from '../../text/en.ts'
import { Mark, Wordmark } from '../../ui/page/brand.tsx'
import { ProductIntroduction } from './product-introduction.tsx'

export function WelcomePage() {
  return (
    <div className="grid min-h-dvh bg-kumo-base lg:grid-cols-[minmax(26rem,1fr)_1.25fr]">
      <main id="content" className="flex min-w-0 flex-col px-6 py-6 sm:px-10">
        <p className="flex items-center gap-2.5 text-kumo-strong" aria-label={text.product}>
          <Mark className="size-8" />
          <Wordmark className="text-[19px]" />
        </p>
        <div className="mx-auto my-auto w-full max-w-sm py-10">
          <Outlet />
        </div>
      </main>
      <ProductIntroduction />
    </div>
  )
}
