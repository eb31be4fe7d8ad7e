/** Words that several rules share. Alternatives are separated by `|`. */

/** Names that always mean a model. */
export const modelNames = `ai | ais | a.i. | llm | llms | ai assistant | ai assistants | ai agent | ai agents | ai model |
  ai models | ai system | ai systems | ai reviewer | ai reviewers | ai reader | ai readers | language model |
  language models | large language model | large language models | chatbot | chatbots | chatgpt | gpt | gpts | gpt4 |
  claude | gemini | copilot | llama | mistral | deepseek | grok | code assistant | code assistants | coding assistant |
  coding assistants | coding agent | coding agents | virtual assistant | automated reviewer | automated reviewers |
  automated system | automated systems | automated agent | automated agents | automated assistant`;
/** Names that also mean people or things. */
export const roleNames = `assistant | assistants | agent | agents | model | models | bot | bots | robot | robots | crawler |
  crawlers | summarizer | summariser | reviewer | machine`;

export const instructions = `instruction | instructions | directive | directives | guideline | guidelines | direction |
  directions | command | commands | programming | constraint | constraints | restriction | restrictions | guidance |
  guardrail | guardrails | safeguard | safeguards`;
/** What the reader of the text was given by its operator. */
export const ownRules = `rules | rule | instructions | guidelines | directives | programming | restrictions | limitations |
  safeguards | guardrails | training | constraints | policies | policy | orders | safety | ethics | filters | filter |
  prompt | guidance | content policy | content policies | safety policy | safety training | configuration | refusals |
  limits | boundaries | principles | persona`;
export const systemPrompt = `system prompt | system prompts | system message | system messages | system instruction |
  system instructions | system rules | developer message | developer messages | developer prompt |
  developer instructions | initial prompt | pre prompt | preprompt | base prompt | system guidelines`;
export const earlier = `previous | previously | prior | above | earlier | preceding | former | foregoing | past | original |
  initial | existing`;
export const withoutLimits = `no restrictions | no rules | no limits | no limitations | no filters | no filter | no ethics |
  no ethical | no moral | no morals | no guidelines | no guardrails | no boundaries | no safety | no content policy |
  no policies | no constraints | no censorship | without restrictions | without any restrictions | without rules |
  without any rules | without limits | without limitations | without any limitations | without filters |
  without any filters | without ethics | without any ethics | without morals | without moral | without ethical |
  without guidelines | without any guidelines | without guardrails | without safety | without any safety |
  without censorship | without constraints | free from all | free of all | free from any | free of any | not bound by |
  isn't bound by | not limited by | not restricted by | unbound by | unrestricted | uncensored | unfiltered |
  nothing is forbidden | jailbroken | amoral | immoral | never refuses | never refuse | never declines | never decline | never says no |
  never say no | always complies | always comply |  answers everything | without refusing |
  does anything | do anything now | can do anything | can do everything | does whatever | 
   does not follow the rules | doesn't follow the rules |
  ignores all rules | ignores its | ignores the rules | ignores all | ignore all content |
  broken free of | broken free from | freed from | guardrails removed | guardrails are off | filters disabled |
  filters are disabled | filters off | filters are off | filters removed | safety checks off | not follow the rules |
  no disclaimers`;
export const theUser = `the user | the users | your user | the human | the humans | the operator | the person | the reader |
  the visitor | the visitors | the customer | anyone | anybody`;
