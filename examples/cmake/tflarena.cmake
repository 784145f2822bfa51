# tflarena_library(NAME MODEL [ARENA SIZE] [FLAGS FLAG...]) adds a library that runs a model: the model as an array, the
# resolver of its operators and a header with its inputs, outputs and required arena. "tflarena rewrite" makes its sources
# from MODEL, a .tflite file, with FLAGS, and again whenever the file changes. With ARENA, the build fails if the model
# requires a larger arena. The target tflite-micro must exist.
find_program(TFLARENA tflarena REQUIRED)

function(tflarena_library name model)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" ARENA FLAGS)
  get_filename_component(model "${model}" ABSOLUTE)
  get_filename_component(stem "${model}" NAME_WLE)
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" stem "${stem}") # as tflarena makes names of C
  string(REGEX REPLACE "^_|_$" "" stem "${stem}")
  string(REGEX REPLACE "^([0-9])" "model_\\1" stem "${stem}")
  string(TOLOWER "${stem}" stem)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(array "${folder}/src/${stem}_model.cpp")
  set(check)
  if(arg_ARENA)
    set(check COMMAND "${TFLARENA}" check "${array}" --quiet --max-arena "${arg_ARENA}")
  endif()
  add_custom_command(
    OUTPUT "${array}" "${folder}/src/${stem}_tflm.cpp"
    COMMAND "${TFLARENA}" rewrite "${model}" --quiet ${arg_FLAGS} -o "firmware=${folder}"
    ${check}
    DEPENDS "${model}"
    COMMENT "tflarena: ${model}"
    VERBATIM)
  add_library(${name} STATIC "${array}" "${folder}/src/${stem}_tflm.cpp")
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_include_directories(${name} PUBLIC "${folder}/src")
  target_link_libraries(${name} PUBLIC tflite-micro)
endfunction()
