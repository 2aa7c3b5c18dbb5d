import { CheckCircleIcon } from '@phosphor-icons/react'
import { signInText as text } from '../../text/sign-in.en.ts'

/** Explains the product in three steps and a picture. Wide screens only: on a phone the form comes first. */
export function ProductIntroduction() {
  return (
    <section className="harbour relative hidden overflow-hidden p-12 text-white lg:flex lg:flex-col lg:justify-center xl:p-16">
      <div className="relative max-w-xl">
        <h2 className="max-w-md text-[38px] leading-[1.1] font-semibold tracking-[-0.03em] text-balance">
          {text.pitch.headline}
        </h2>
        <SampleThread />
        <ol className="mt-10 grid gap-5 xl:grid-cols-3">
          {text.pitch.steps.map(([title, sentence], index) => (
            <li key={title}>
              <p className="font-semibold">
                <span className="mr-2 text-[#8fdcea]" aria-hidden="true">
                  {index + 1}
                </span>
                {title}
              </p>
              <p className="mt-1 text-[13px] leading-relaxed text-[#c6dde5]">{sentence}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function SampleThread() {
  return (
    <div className="mt-9 space-y-3" aria-hidden="true">
      <div className="w-fit max-w-md rounded-2xl rounded-bl-md bg-white px-4 py-3 text-[15px] text-[#12303c] shadow-[0_12px_40px_-12px_rgb(0_0_0/0.5)]">
        {text.pitch.sample}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl bg-white/8 px-4 py-3 text-[13px] ring-1 ring-white/12">
        {text.pitch.sampleChecks.map((check) => (
          <span key={check} className="inline-flex items-center gap-1.5 text-[#d5e8ee]">
            <CheckCircleIcon weight="fill" className="size-4 text-[#5fd6a0]" />
            {check}
          </span>
        ))}
        <span className="ml-auto inline-flex items-center gap-2 rounded-full bg-[#ff8f63] px-2.5 py-0.5 text-xs font-semibold text-[#3a1405]">
          {text.pitch.live}
        </span>
      </div>
    </div>
  )
}
