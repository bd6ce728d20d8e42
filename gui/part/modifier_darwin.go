package part

const usualModifier = "Cmd"
