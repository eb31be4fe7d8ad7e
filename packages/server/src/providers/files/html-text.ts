import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

/** Headings keep their level, so that the text can be split at them. */
const markHeading: FormatCallback = (element, walk, builder, options) => {
  builder.openBlock({ leadingLineBreaks: options.leadingLineBreaks ?? 2 });
  builder.addInline(`${'#'.repeat(Number(element.name?.slice(1) ?? 1))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: options.trailingLineBreaks ?? 2 });
};

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'markHeading' }));

const options: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { markHeading },
  selectors: [
    ...headings,
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
  ],
  limits: { maxInputLength: 32 * 1024 * 1024, maxDepth: 200 },
};

export function htmlText(html: string): string {
  return convert(html, options);
}
